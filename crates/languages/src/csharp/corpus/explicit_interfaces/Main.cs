interface IReader
{
    string Read();
    void Close();
}

interface IWriter
{
    void Close();
}

class File : IReader, IWriter
{
    public string Read() { return ""; }
    void IReader.Close() { Free(); } // calls :File.Free
    void IWriter.Close() {}
    public void Close() {}
    private void Free() {}
}

class Main
{
    void Run(File file, IReader reader, IWriter writer)
    {
        file.Close(); // calls :File.Close@17
        file.Read(); // calls :File.Read
        reader.Close(); // calls :IReader.Close
        writer.Close(); // calls :IWriter.Close
        ((IReader)file).Close(); // calls :IReader.Close
        (file as IWriter).Close(); // calls :IWriter.Close
    }
}
